# SPDX-License-Identifier: MIT
# For scripts whose tests run under node; both functions end the script as skipped (77) where that cannot be.

need_node()
{
    for tool in node npm; do
        command -v $tool >/dev/null || {
            echo "skipped: no $tool"
            exit 77
        }
    done
}

# folder package@version... : packages of the npm registry, fetched into FOLDER/npm, which is then the working directory,
# and found by node
need_packages()
{
    mkdir -p "$1/npm" && cd "$1/npm" || exit 1
    shift
    for package in "$@"; do
        [ -d "node_modules/${package%@*}" ] && continue
        npm install --prefix . --silent --no-audit --no-fund --ignore-scripts "$@" >npm.log 2>&1 || {
            echo "skipped: npm cannot fetch $*"
            exit 77
        }
    done
    export NODE_PATH="$PWD/node_modules"
}

# folder package@version... : the packages alone, without what they need, as FOLDER/npm/PACKAGE-VERSION, which is then the
# working directory
need_sources()
{
    mkdir -p "$1/npm" && cd "$1/npm" || exit 1
    shift
    for package in "$@"; do
        name=${package%@*}-${package##*@}
        [ -d "$name" ] && continue
        rm -rf package
        { npm pack --silent "$package" && tar xzf "$name.tgz" && mv package "$name"; } >npm.log 2>&1 || {
            echo "skipped: npm cannot fetch $package"
            exit 77
        }
    done
}
