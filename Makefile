# `make book` builds the site and `make test` checks everything; each sets up .venv first, on a machine with Python 3.11 and make.
#
#   PYTHON=python3.12             the interpreter that .venv is made with
#   TORCH_INDEX=                  torch as the default package index has it (on Linux that is the CUDA build)
#   TORCH_INDEX=<address>         torch from another index, such as one of PyTorch's for an accelerator
#   LOCK=requirements.txt         other packages than those whose hashes are locked
#   CHAPTERS="cumulants duality"  the chapters that `make run` executes; all of them when empty
#   FOLDER=book                   `make lab` opens the chapters as they are written, for authors; else copies of them

PYTHON ?= $(shell for python in python3.11 python3; do $$python --version >/dev/null 2>&1 && echo $$python && break; done)
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
LOCK ?= .ci/requirements.lock
CHAPTERS ?=
FOLDER ?= _build/notebooks

# of this folder and the packages alone: not of PYTHONPATH, nor of what lies where make is called
python = .venv/bin/python -I
# pip shows how far it has come where somebody sees it
installer = python -m pip --disable-pip-version-check install $(if $(MAKE_TERMOUT),,--quiet)
pip = .venv/bin/$(installer)
torch = $(shell grep -o '^torch[^ ]*' requirements.txt)
installed = .venv/installed
notebooks = $(wildcard book/*.ipynb)

.PHONY: book test run audit addresses bench pdf archive lab environment clean

book: environment
	$(python) -m logpartition_book.build

test: environment
	$(python) -m pytest tests $(notebooks) --nbval --nbval-current-env -p logpartition_book.redrawn -p logpartition_book.preloaded -n 2 --dist loadfile --no-loadscope-reorder

run: environment
	$(python) -m logpartition_book.run $(CHAPTERS)

# with all deliberate errors, and all cases of the verifier's tests
audit: environment
	$(python) -m logpartition_book.audit
	LOGPARTITION_CASES=all $(python) -m pytest tests/proof -n 2 --dist loadfile --no-loadscope-reorder

addresses: environment
	$(python) -m logpartition_book.addresses

pdf: book
	$(python) -m logpartition_book.paper

archive: pdf
	$(python) -m logpartition_book.archive

# the editor has an environment of its own, and runs the chapters in that of the book
lab: .venv/lab/installed
	$(if $(filter book ./book book/,$(FOLDER)),,$(python) -m logpartition_book.copies $(FOLDER))
	.venv/lab/bin/jupyter lab $(FOLDER)

.venv/lab/installed: .ci/lab.txt requirements.txt | environment
	$(python) -m venv .venv/lab
	.venv/lab/bin/$(installer) -r .ci/lab.txt --constraint requirements.txt
	$(python) -m ipykernel install --prefix .venv/lab --display-name "Python 3"
	touch $@

bench: environment
	$(python) -m pytest tests/bench

# an environment that was copied or moved would run the code of the folder that it was made in
environment: $(installed)
	@test "$$(cat $(installed))" = "$(CURDIR)" || { echo ".venv was made in '$$(cat $(installed))', not in this folder: \
	remove .venv, then call make again" >&2; exit 1; }

# what a reader changed in the copies of the chapters stays
clean:
	! test -d _build || find _build/ -mindepth 1 -maxdepth 1 ! -name notebooks -exec rm -rf {} +

# torch comes first and alone, so that a Linux machine without an accelerator doesn't fetch gigabytes of CUDA.
$(installed): requirements.txt $(LOCK) pyproject.toml
	@command -v "$(PYTHON)" >/dev/null || { echo "no Python found: set PYTHON to one, 3.11 or newer" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit("PYTHON: got %d.%d, needs 3.11 or newer" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	test -x .venv/bin/python || $(PYTHON) -m venv .venv
	$(if $(TORCH_INDEX),$(pip) --no-deps --retries 0 --timeout 10 --index-url $(TORCH_INDEX) $(torch) \
	    || echo "no torch at $(TORCH_INDEX): taking it from the default index")
	$(pip) -r $(LOCK)
	$(pip) $(torch)
	$(pip) --no-deps --no-build-isolation --editable .
	pwd -P > $@
