#!/usr/bin/env bash
# Commits a site to the branch gh-pages and pushes it, for GitHub Pages: `ci/publish_site.sh SITE MESSAGE`. The branch then has
# the files of SITE and no others. If it has them already, it stays as it is.
set -euo pipefail
site=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# GitHub does not run Jekyll then.
touch "$site/.nojekyll"
export GIT_INDEX_FILE=$work/index
git --work-tree="$site" add --all --force
tree=$(git write-tree)
parent=
if [ "$(git ls-remote origin refs/heads/gh-pages)" ]; then
    git fetch --depth 1 origin gh-pages
    [ "$tree" != "$(git rev-parse "FETCH_HEAD^{tree}")" ] || exit 0
    parent=$(git rev-parse FETCH_HEAD)
fi
bot=(-c user.name="github-actions[bot]" -c user.email="41898282+github-actions[bot]@users.noreply.github.com")
commit=$(git "${bot[@]}" commit-tree "$tree" ${parent:+-p "$parent"} -m "$2")
git push origin "$commit:refs/heads/gh-pages"
