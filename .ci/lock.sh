#!/bin/sh
# lock.sh: `make lock`. Installs what pyproject.toml allows into a new environment and writes down what came:
#
#   requirements.txt   the course's own environment, which `make setup` installs: the package's dependencies, its extras
#                      but for the voices, and the dependency group `dev`
#   .ci/voices.txt     what the extras narrate, piper and listen bring besides; tests use it as pip's constraints
#
# LOCK_CONSTRAINTS=FILE keeps versions. A local version such as torch's "+cpu" is left out: each index has its own.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3} constraints=${LOCK_CONSTRAINTS:-/dev/null}
extras=torch,figures,lesson,review,postgres,cluster
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Newer ones need a patch release of Python 3.11 that Debian 12 does not have.
printf '%s\n' 'pymdown-extensions<13' 'soupsieve<3' >"$folder/constraints"

new_environment() {
    "$python" -m venv "$folder/$1"
    "$folder/$1/bin/pip" install -q --upgrade 'pip>=25.1' # the first that knows dependency groups
}

# The versions in the environment $1, below the comment $2.
frozen() {
    printf '# %s Written by `make lock`.\n' "$2"
    "$folder/$1/bin/pip" freeze --all --exclude pip --exclude coursekit | sed 's/+[a-z0-9.]*$//'
}

new_environment course
"$folder/course/bin/pip" install -q -c "$constraints" -c "$folder/constraints" ".[$extras]" setuptools --group dev
frozen course "The instructor's and the grader's environment; students need none of it." >"$folder/requirements"

new_environment voices
"$folder/voices/bin/pip" install -q -c "$constraints" -c "$folder/requirements" ".[$extras,narrate,piper,listen]"
{
    printf '# %s Written by `make lock`.\n' "What the extras narrate, piper and listen bring besides requirements.txt."
    frozen voices "" | grep -v '^#' | grep -vxFf "$folder/requirements"
} >"$folder/voices.txt"
mv "$folder/requirements" requirements.txt
mv "$folder/voices.txt" .ci/voices.txt
