#!/usr/bin/env bash
# Prints what CHANGELOG.md says of a release, if its tag can be released: `ci/notes.sh v0.1.0`.
set -euo pipefail
cd "$(dirname "$0")/.."
tag=$1

fail() {
    echo "::error title=release::$1" >&2
    exit 1
}

# A value of Cargo.toml, of which the workspace's comes first.
manifest() {
    sed -n "s/^$1 = \"\(.*\)\"/\1/p" Cargo.toml | head -n 1
}

version=$(manifest version)
address=$(manifest repository)
here="${GITHUB_SERVER_URL:-https://github.com}/${GITHUB_REPOSITORY:-${address#https://github.com/}}"
[ "$tag" = "v$version" ] || fail "the tag is $tag, but the version in Cargo.toml is $version: tag v$version"
case "$address" in
    */-*/keur) fail "Cargo.toml has no address yet: CONTRIBUTING.md says how to set one" ;;
esac
[ "$here" = "$address" ] || fail "this repository is $here, but Cargo.toml says $address: set \`repository\` as CONTRIBUTING.md says"

# From the heading of this version to the next, without the definitions of links at the end. A link to a file leads to it at this tag.
heading="^## \[?${version//./\\.}\]? - [0-9]{4}-[0-9]{2}-[0-9]{2}$"
notes=$(sed -nE "/$heading/,/^## /p" CHANGELOG.md |
    sed -E "/^## /d; /^\[[^]]+\]: /d; s|\]\(([^:)#][^:)]*)\)|](${address}/blob/$tag/\1)|g")
[ -n "$notes" ] || fail "CHANGELOG.md has no section '## $version - YEAR-MONTH-DAY' with changes: date the section 'Unreleased'"
echo "$notes"
