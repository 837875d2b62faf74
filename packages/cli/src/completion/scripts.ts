/** The completion scripts of the shells. They call `callsign __complete`. */

const BASH = `_callsign() {
  local line="\${COMP_LINE:0:COMP_POINT}" current prefix word
  local -a words
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=('')
  current="\${words[\${#words[@]}-1]}"
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done \\
    < <(callsign __complete -- "\${words[@]:1}" 2>/dev/null)
  # The shell takes a colon for the end of a word.
  if [[ "$COMP_WORDBREAKS" == *:* && "$current" == *:* ]]; then
    prefix="\${current%"\${current##*:}"}"
    COMPREPLY=("\${COMPREPLY[@]#"$prefix"}")
  fi
}
complete -o default -F _callsign callsign
`;

const ZSH = `#compdef callsign
_callsign() {
  local -a candidates
  candidates=("\${(@f)$(callsign __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( \${#candidates[1]} )); then compadd -a candidates; else _files; fi
}
compdef _callsign callsign
`;

const FISH = `complete -c callsign -f -a '(callsign __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`;

export const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['bash', BASH],
  ['zsh', ZSH],
  ['fish', FISH],
]);
