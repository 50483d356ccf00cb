"""A failure in a notebook is one paragraph that names the step."""

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from sympy import Symbol

from logpartition.proof import derive, rearrange
from logpartition.proof.errors import Refuted

SLIP = """
from sympy import symbols
from logpartition.proof import derive
x, y = symbols("x y", real=True)
derive("slip", (x + y)**2).eq(x**2 + y**2, "expand")
"""


def test_in_a_notebook():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SLIP)])
    with pytest.raises(CellExecutionError):
        NotebookClient(notebook, kernel_name="python3").execute()
    (error,) = notebook.cells[0].outputs
    assert error.output_type == "error" and error.ename == "Refuted"
    (line,) = error.traceback
    assert "\n" not in line
    start = "Refuted: slip, step 1 (expand): (x + y)^2 = x^2 + y^2. This is false: at "
    assert line.startswith(start)


def test_a_counterexample_names_letters_as_a_terminal_can_show_them():
    eta = Symbol(r"\eta", real=True)
    with pytest.raises(Refuted, match=r"at η = 1, the left side is 2 and the right side is 3"):
        derive("slip", 2 * eta).eq(3 * eta, rearrange)
