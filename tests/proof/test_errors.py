"""Failure is one paragraph: in a notebook, under pytest, and in a plain traceback's last line."""

import subprocess
import sys
import textwrap

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from logpartition.proof import IllFormed, Refuted, Undecided, Unfalsifiable
from logpartition.proof.errors import ProofError

SLIP = "from sympy import symbols\nfrom logpartition.proof import derive\nx, y = symbols('x y', real=True)\n" \
       "derive('slip', (x + y) ** 2).eq(x ** 2 + y ** 2, 'expand')"


def test_kinds():
    assert all(issubclass(kind, ProofError) for kind in (IllFormed, Refuted, Undecided, Unfalsifiable))


def test_in_a_notebook():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SLIP)])
    with pytest.raises(CellExecutionError):
        NotebookClient(notebook, kernel_name="python3").execute()
    error, = notebook.cells[0].outputs
    assert error.output_type == "error" and error.ename == "Refuted"
    line, = error.traceback
    assert line.startswith("Refuted: slip, step 1 (expand): (x + y)**2 = x**2 + y**2. This is false: at x = ") and "\n" not in line


def test_under_pytest(tmp_path):
    (tmp_path / "test_slip.py").write_text("def test_slip():\n" + textwrap.indent(SLIP, "    "))
    shown = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)], capture_output=True, text=True).stdout
    assert "slip, step 1 (expand)" in shown
    assert "link.py" not in shown and "results.py" not in shown
