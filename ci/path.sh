#!/usr/bin/env bash
# Leaves out of PATH what could be in the student's repository: relative folders, and folders of the workspace, which an earlier
# step may have added. The steps of the action source this before they start a program, so it starts none.
set -euo pipefail

cd -P "$GITHUB_WORKSPACE"
workspace=$PWD
kept=
while IFS= read -r -d : folder; do
    [[ $folder == /* ]] || continue
    cd -P "$folder" 2>/dev/null || continue
    [[ $PWD/ == "$workspace"/* ]] || kept+=:$folder
done <<<"$PATH:"
cd "$workspace"
export PATH=${kept#:}
