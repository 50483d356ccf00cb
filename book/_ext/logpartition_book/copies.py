"""Chapters for readers of plain Markdown, as JupyterLab, Colab and GitHub are: what only the site
resolves is written out.

The copies that the site offers have its numbers and lead to it.
`python -m logpartition_book.copies <folder>` puts copies there that go by labels, which need no
site; without a folder it rewrites the notebooks in `book/`, and asks for no package: Binder calls
it, in an image of its own.
"""

import argparse
import json
import re
import shutil
from pathlib import Path

from . import files

MIME = "application/vnd.logpartition.result+json"
PLACE = re.compile(r"^\([\w-]+\)=(?:\n|$)", re.MULTILINE)
TRY = re.compile(r"^```\{try\} [\w-]+\n```(?:\n|$)", re.MULTILINE)
DEFINITION = re.compile(
    r"^```\{prf:definition\}\n:label: ([\w-]+)\n\s*(.*?)\n```$", re.MULTILINE | re.DOTALL
)
ROLE = re.compile(r"\{(eq|cite|cite:[tp]|prf:ref)\}`([^`]+)`")
BESIDE = re.compile(r"\]\(([\w-]+\.(?:bib|md))\)")
LINK = re.compile(r"(\[[^\[\]]+\])\((?:#([\w-]+)|([\w-]+)\.md)\)")


class Labels:
    """Names by which a reader finds what is meant in the notebooks themselves."""

    def role(self, name, target):
        if name == "eq":
            return f"(`{target.removeprefix('eq-')}`)"
        if name.startswith("cite"):
            return ", ".join(f"[{key.strip()}](references.bib)" for key in target.split(","))
        return f"the definition `{target}`"

    def definition(self, label):
        return f"Definition `{label}`"

    def link(self, words, place, page):
        return f"{words}({page}.md)" if page else words[1:-1]

    def head(self, record):
        return ""


class Numbers:
    """Numbers as on the pages, which lead there where the site's address is known; `slug` is the
    chapter that is written."""

    def __init__(self, app, site, slug):
        self.app, self.env, self.site, self.slug = app, app.env, site, slug

    def role(self, name, target):
        from .index import named

        if name == "prf:ref":
            page = self.env.proof_list[target]["docname"]
            return self.leading(self.definition(target), page, target)
        said = named(self.env, name, target)
        if name == "eq":
            label = target.removeprefix("eq-")
            page = self.app.logpartition.results[label]["chapter"]
            return self.leading(said, page, target)
        return self.leading(said, "references") if self.site else said

    def leading(self, words, page, place=""):
        if self.site:
            return f"[{words}]({self.site}{page}.html{f'#{place}' if place else ''})"
        return words if page == self.slug else f"[{words}]({page}.ipynb)"

    def definition(self, label):
        known = self.env.proof_list[label]
        found = self.env.toc_fignumbers[known["docname"]][known["countertype"]][label]
        return f"Definition {'.'.join(map(str, found))}"

    def link(self, words, place, page):
        if not self.site:
            return words[1:-1]
        return self.leading(words[1:-1], page or self.slug, place)

    def head(self, record):
        from .index import number

        return f"({number(self.env, record['label'])})"


def written_out(notebook, by):
    """The notebook without what is MyST's own, and so without the seal of the run."""
    notebook["metadata"].pop("logpartition", None)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = plain("".join(cell["source"]), by)
        if "outputs" in cell:
            cell["outputs"] = [one for each in cell["outputs"] for one in headed(each, by)]
    return notebook


def headed(output, by):
    """An output, after the number of its result; what is beside the record stays as it was, since
    whoever decides the record again compares it."""
    record = output.get("data", {}).get(MIME)
    if head := record and by.head(record):
        data = {"text/markdown": f"**{head}**", "text/plain": head}
        yield type(output)(output_type="display_data", metadata={}, data=data)
    yield output


def plain(source, by):
    source = TRY.sub("", PLACE.sub("", source))
    source = DEFINITION.sub(lambda found: f"**{by.definition(found[1])}.** {found[2]}", source)
    source = ROLE.sub(lambda found: by.role(found[1], found[2]), source)
    return LINK.sub(lambda found: by.link(*found.groups()), source)


def put(path, folder):
    """A copy of the notebook at `path`, which may take its place, and the bibliography and the
    pages of text that it leads to, where they are there; these come first, since of a copy that is
    there nothing is made again."""
    try:
        notebook = written_out(json.loads(path.read_text(encoding="utf-8")), Labels())
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise SystemExit(f"{path} is not a notebook: {error!r}") from None
    text = json.dumps(notebook, ensure_ascii=False, indent=1)
    led = filter(Path.exists, map(path.with_name, sorted({*BESIDE.findall(text)})))
    try:
        for page in led:
            if not (folder / page.name).is_file():
                shutil.copy(page, folder)
        files.write(folder / path.name, text + "\n")
    except (OSError, UnicodeEncodeError) as error:
        raise SystemExit(f"{path} could not be copied to {folder}: {error}") from None


def main():
    parser = argparse.ArgumentParser(
        description="Copy chapters, with what only the site would resolve written out."
    )
    parser.add_argument("folder", type=Path, nargs="?", help="book/ when none is named")
    folder, book = parser.parse_args().folder, Path("book")
    if not (chapters := sorted(book.glob("*.ipynb"))):
        raise SystemExit("no chapters in book/: go to the folder of the repository")
    if not folder:
        return [put(path, book) for path in chapters]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SystemExit(f"{folder} is no folder for copies: {error.strerror}") from None
    if folder.samefile(book):
        raise SystemExit(f"{folder} has the chapters themselves: name another folder")
    for path in chapters:
        if not (folder / path.name).is_file():
            put(path, folder)
    print(
        f"The chapters are in {folder}, with references written out. A copy that is there stays as"
        " it is: remove it, and it is made anew."
    )


if __name__ == "__main__":
    main()
