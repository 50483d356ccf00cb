"""Inline maths: what introduces a name or a condition stays in the text, what states an equation
does not.
"""

import pytest

from logpartition_book.inline_maths import defines, states_equation


@pytest.mark.parametrize(
    "maths",
    [
        r"Z = \sum_j e^{s_j}",
        r"d \ge 2",
        "0 < t < 1",
        "N = 1, 2, 3",
        r"q \in \mathbb{R}^d",
        r"\|k_j\| \le R",
        r"x = -1/2",
        r"G(q) = \log\sum_{j=1}^{N} e^{q \cdot k_j}",
        r"\sum_j p_j = 1",
        r"\operatorname{Var}(X) > 0",
        r"P(X = x) = p",
        r"p(x \mid \eta) = h(x)\, e^{\langle u(x), \eta \rangle - G(\eta)}",
        r"\nabla G",
        r"\frac12<\beta\Vert a\Vert^2\le1",
        r"\frac{1}{20} < a + b \le \tfrac 1 2",
        r"\frac12\Vert x\Vert^2-\langle x, f\rangle",
        "p(x \\mid y) = f(x, y)",
        r"p = \operatorname{softmax}(s)",
        r"x_j \ge 0 \ \forall j",
        r"x \implies y",
        r"t \to 0",
        r"p \approx 0.5",
        r"f = \lim_{t \to 0} g_t + h",
        r"a - \mathrm{lse}(s)",
        "225°",
    ],
)
def test_names_and_conditions_stay_in_the_text(maths):
    assert not states_equation(maths)


@pytest.mark.parametrize(
    "maths",
    [
        r"\nabla G(q) = \sum_j p_j k_j",
        r"\mathbb{E}_p[k] = \nabla G(q)",
        "a + b = b + a",
        r"\log(1 + x) \le x - x^2/2",
        r"p^\top q = q^\top p",
        "a + b = c = b + a + 7",
        r"\frac ab = b + a",
        r"a + b = \frac",
        r"\frac{1}{b} = b + a",
        "G(q + k + 7) = H(q - k)",
        "Z(q + k) = Z(q) Z(k) + 7",
        r"x = \lVert a \rVert + b \Vert c = d + e",
        r"a = b \implies c = d",
        r"x < 1 \quad \Leftrightarrow y > 2",
        r"\forall q: G(q) = 7",
        r"\partial_t \log Z(t) = \langle r \rangle",
        r"G \text{ equals } H + 1",
        r"G \triangleq H + \log N",
        r"\nabla G \parallel p",
        r"\nabla G \perp p",
        r"G \ll H + 7",
        r"\sqrt2 \approx 1.41",
        r"Z = \sum_{j=1}^N e^{s_j} + \sum_{j=1}^N e^{-s_j} + \prod_j (1 + e^{s_j} u_j)",
    ],
)
def test_equations_do_not_stay_in_the_text(maths):
    assert states_equation(maths)


@pytest.mark.parametrize(
    "maths",
    [
        r"x = a + b, \qquad y = c + d",
        r"\kappa_n = \left.\frac{d^n K}{dt^n}\right|_{t=0},",
        r"p(x) = h(x)\, e^{\langle u(x), \eta \rangle - G(\eta)}",
    ],
)
def test_a_definition_may_be_long_and_of_several_names(maths):
    assert not states_equation(maths, None)


@pytest.mark.parametrize(
    "maths", [r"x = a + b \qquad = b + a", r"a + b = b + a", r"x = a + b \\ &= b + a"]
)
def test_a_definition_does_not_derive(maths):
    assert states_equation(maths, None)


@pytest.mark.parametrize(
    "maths",
    [
        r"x = a + b, \qquad y = c + d.",
        r"f^*(x) = \sup_{s}\; \langle s, x\rangle - f(s),",
        r"p(x\mid\eta) = h(x)\, e^{\langle u(x),\eta\rangle-G(\eta)}",
        r"\operatorname{softmax}(s)_j = \frac{e^{s_j}}{\sum_l e^{s_l}}",
        r"\mathrm{KL}(p \,\|\, q) = \sum_j p_j \log\frac{p_j}{q_j}",
        r"\mathbb{E}_p[f] = \sum_j p_j f_j",
        r"\langle x, y \rangle = \sum_a x_a y_a",
        r"\sigma^2 = \frac1m \lVert x \rVert^2, \quad \sigma > 0, \quad j = 1, \dots, N",
        r"\beta = 1, \quad x_0 = 0",
        r"x_{t+1} = x_t + f(x_t), \quad x' = x + v",
        r"\mu = K'(\theta), \quad f(x) = 2 x, \quad d \ne 1",
        r"E(x) = \tfrac12 \Vert x \Vert^2 - G(x), \quad \Vert x \Vert \le R",
        r"x^{(t+1)} = x^{(t)} + v, \quad x' = x^{(1)} + v, \quad y'_i = y_i + \bar y",
        r"\bar x = \frac1N \sum_j x_j, \quad A^* = \bar B^\top, \quad p(x|y) = f_y",
    ],
)
def test_a_definition_names(maths):
    assert defines(maths)


@pytest.mark.parametrize(
    "maths",
    [
        r"\nabla G(q) + \log Z = 0",
        r"e^{i\pi} = 1",
        r"\mathbb{E}[k] = 7",
        r"G(q) = 7",
        r"0 = G",
        r"\nabla G(q) \in \mathbb{N}",
        r"\nabla G(q) \sim 7",
        r"G = \log Z \quad G = 7",
        r"G = \log Z, \quad \nabla G = k",
        "G(q) = G(-q)",
        "F(q) = F(q + 1)",
        "d_{KL}(p, q) = d_{KL}(q, p)",
        "f(-x) = g",
        r"G'(q) = \mathbb{E}[k]",
        r"G^{\prime}(q) = k",
        "G' = 0",
        r"Z \approx 7",
        r"a \to b",
        r"\lambda_{\max}(H) \le 1/2",
        r"x^2 < 0",
        r"\mathbb{N} = \mathbb{R}",
        r"\pi = 3",
        r"\alpha \perp \beta",
        r"A^{-1} = A^\top",
        r"A^\top = B",
        r"A^{\top} = A",
        r"D = D^\top",
        r"|A| = B",
        r"\left\lVert a \right\rVert = b, \quad x = y",
        r"G'(q) := \mathbb{E}[k]",
        "G' = p",
        r"G^\prime = p",
        r"G^{\prime} = p",
        r"x = y \quad (y = x)",
        r"x = y \quad (z > 0)",
        "p_{ij} = p_{ji}",
        "p_{j+1} = p_j",
        "x = -x_0",
        r"\hat\theta = \theta",
        r"\mathbf{\nabla G} = p + q",
        r"\overline{\log Z} = c + d",
        r"\mathbf{a + b} = c + d",
        r"K^T = K A",
        r"\bar x = x",
    ],
)
def test_a_definition_states_nothing(maths):
    assert not defines(maths)
