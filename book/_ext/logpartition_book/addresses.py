"""Addresses that readers may hold: `slug` for a page, `slug#label` for a result. `python -m logpartition_book.addresses`
adds those of the book as it is to book/addresses.txt; a gate keeps the book from losing one, and the list from missing one.
"""

from .records import all_records, slugs
from .run import ROOT


def current(root=ROOT):
    results = {f"{record['chapter']}#{record['label']}" for record in all_records(root / "book")}
    return results | {slug for slug in slugs(root) if any((root / "book" / f"{slug}{kind}").exists() for kind in (".ipynb", ".md"))}


def listed(root=ROOT):
    path = root / "book" / "addresses.txt"
    return set(path.read_text(encoding="utf-8").split()) if path.exists() else set()


def main():
    known = listed()
    (ROOT / "book" / "addresses.txt").write_text("\n".join(sorted(known | current())) + "\n", encoding="utf-8")
    print(f"{len(current() - known)} new addresses, {len(known | current())} in all")


if __name__ == "__main__":
    main()
