#!/bin/sh
# make_venv.sh PYTHON FOLDER: a virtual environment with pip, also where Python cannot put pip there itself.
#
# Debian's and Ubuntu's python3 cannot unless python3-venv is installed. Then their own pip is taken out of its package:
# apt-get downloads and verifies packages for any user, with lists of its own.
set -eu
python=$1 venv=$2

if "$python" -c 'import ensurepip' 2>/dev/null; then
    exec "$python" -m venv "$venv"
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
apt() {
    apt-get -qq -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder" -o APT::Sandbox::User=root "$@"
}
mkdir -p "$folder/lists/partial"
if ! (apt update; cd "$folder" && apt download python3-pip-whl && dpkg-deb -x python3-pip-whl_*.deb .) \
    >"$folder/said" 2>&1; then
    cat "$folder/said" >&2
    echo "$python cannot make a virtual environment with pip: install the package python3-venv, or another Python" \
        "3.11 or newer (make PYTHON=...), and try again." >&2
    exit 1
fi
"$python" -m venv --without-pip "$venv"
wheels=$folder/usr/share/python-wheels
"$venv/bin/python" "$(echo "$wheels"/pip-*.whl)/pip" install -qq --no-index --find-links "$wheels" pip
