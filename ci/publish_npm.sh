#!/usr/bin/env bash
# Publishes the npm packages of a folder, the package `keur` last, since it needs those of the systems:
# `ci/publish_npm.sh out/npm`. A version that is published already is left as it is, so a failed run can be repeated.
set -euo pipefail
# npm takes a relative path for the name of a repository on GitHub.
folder=$(realpath "$1")
for package in "$folder"/keur-[a-z]*.tgz "$folder"/keur-[0-9]*.tgz; do
    spec=$(tar -xOzf "$package" package/package.json | node -p 'const it = JSON.parse(require("fs").readFileSync(0)); it.name + "@" + it.version')
    if npm view "$spec" version | grep -q .; then
        echo "$spec is published already"
    else
        npm publish --provenance --access public "$package"
    fi
done
