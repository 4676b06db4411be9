#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: kate.sh GPUCODE SOURCE_FOLDER
# Kate without a screen as the server's client, set up as docs/lsp.md says; what the two say to each other is looked at.
for program in kate dbus-run-session; do
    command -v "$program" >/dev/null || {
        echo "skipped: no $program"
        exit 77
    }
done
program=$(realpath "$1")
folder=$(mktemp -d)
server=
end_all() # of the session that the editor is started in
{
    for try in 1 2 3 4 5 6 7 8 9; do
        [ -n "$server" ] && kill -- -"$server" 2>/dev/null && sleep 0.3 || break
    done
    rm -rf "$folder"
}
trap end_all EXIT
mkdir -p "$folder/config/kate/lspclient" "$folder/data/kate" "$folder/data/org.kde.syntax-highlighting/syntax" "$folder/run"
chmod 700 "$folder/run"
"$program" export kate -o "$folder/data/org.kde.syntax-highlighting/syntax" || exit 1
cat >"$folder/gpucode" <<END_OF_SERVER
#!/bin/sh
tee '$folder/asked' | '$program' "\$@" | tee '$folder/said'
END_OF_SERVER
chmod +x "$folder/gpucode"
# the settings of the documentation
sed -n '/^## Kate/,/^## /{/^```json/,/^```/{/^```/d;p}}' "$2/../../docs/lsp.md" >"$folder/config/kate/lspclient/settings.json"
grep -q gpucode "$folder/config/kate/lspclient/settings.json" || {
    echo 'docs/lsp.md has no settings for Kate'
    exit 1
}
printf '[lspclient]\nAllowedServerCommandLines=gpucode lsp,%s/gpucode lsp\n' "$folder" >"$folder/config/katerc" # it asks otherwise
printf '[Kate Plugins]\nlspclientplugin=true\n' >"$folder/data/kate/anonymous.katesession"
printf '.target afuc:a630\nstart:\n    mov $02, 0x1\n    movv $03, $02\n' >"$folder/wrong.afuc"
HOME=$folder XDG_CONFIG_HOME=$folder/config XDG_DATA_HOME=$folder/data XDG_CACHE_HOME=$folder/cache XDG_RUNTIME_DIR=$folder/run \
    PATH=$folder:$PATH QT_QPA_PLATFORM=offscreen setsid timeout -k 2 110 dbus-run-session kate -n "$folder/wrong.afuc" >"$folder/log" 2>&1 &
server=$!
for second in $(seq 1 105); do
    grep -qs 'movv' "$folder/said" && grep -qs '"data":\[' "$folder/said" && break
    sleep 1
done
grep -qs "there is no instruction 'movv'" "$folder/said" && grep -qs '"data":\[' "$folder/said" || {
    echo "Kate was told nothing of the wrong line in $second seconds:"
    tail -5 "$folder/log"
    tail -c 2000 "$folder/said" 2>/dev/null
    exit 1
}
echo 'kate: passed'
