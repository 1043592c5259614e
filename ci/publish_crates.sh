#!/usr/bin/env bash
# Publishes the crates, each after those that it needs. A version that is published already is left as it is, so a failed run
# can be repeated.
set -euo pipefail
cd "$(dirname "$0")/.."
for name in keur-sandbox keur-core keur; do
    version=$(cargo pkgid --package "$name")
    version=${version##*[#@]}
    if cargo info --quiet --registry crates-io "$name@$version" >/dev/null; then
        echo "$name@$version is published already"
    else
        cargo publish --locked --package "$name"
    fi
done
