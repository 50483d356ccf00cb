"""What importing the package loads, and what its lazy names are."""

import subprocess
import sys
from importlib import import_module
from types import FunctionType, ModuleType

import pytest

import logpartition


def test_the_verifier_loads_neither_torch_nor_figures():
    code = (
        "import sys, logpartition, logpartition.proof; "
        "print(*{name.split('.')[0] for name in sys.modules})"
    )
    output = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True).stdout
    loaded = set(output.decode().split())
    assert "sympy" in loaded and not loaded & {"torch", "matplotlib", "IPython"}


@pytest.mark.parametrize(
    "first",
    ["logpartition.attention", "logpartition._blocks", "logpartition.families", "logpartition"],
)
def test_attention_is_the_function(first, monkeypatch):
    """Its module has the same name; whichever is imported first, the name means the function."""
    for name in [name for name in sys.modules if name.split(".")[0] == "logpartition"]:
        monkeypatch.delitem(sys.modules, name)
    import_module(first)
    package = import_module("logpartition")
    assert isinstance(package.attention, FunctionType)
    assert package.attention is import_module("logpartition.attention").attention


def test_names():
    assert sorted(logpartition.__all__) == logpartition.__all__
    assert {*logpartition.__all__, "attention", "dynamics", "families"} <= {*dir(logpartition)}
    for name in logpartition.__all__:
        value = getattr(logpartition, name)
        assert isinstance(value, (FunctionType, type)) and value.__name__ == name
        assert getattr(sys.modules[value.__module__], name) is value
    assert isinstance(logpartition.families, ModuleType)
    with pytest.raises(AttributeError, match="'logpartition' has no attribute 'nothing'"):
        logpartition.nothing


def test_names_can_be_replaced(monkeypatch):
    monkeypatch.setattr(logpartition, "attention", 7)
    assert logpartition.attention == 7
