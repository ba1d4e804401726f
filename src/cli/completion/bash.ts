import type { CompletionNode } from './completion-nodes.ts';

/** A script for bash 3.2 and newer: a function that looks up what may follow the words typed so far. */
export function bashScript(nodes: readonly CompletionNode[]): string {
  const flags = (node: CompletionNode) => node.flags.map(({ name }) => name);
  const words = nodes.map(
    (node) =>
      `    '${node.path.join(' ')}') words='${[...node.commands.map(({ name }) => name), ...flags(node)].join(' ')}' ;;`,
  );
  const groups = nodes.filter(({ path, commands }) => path.length > 0 && commands.length > 0);
  const values = new Map<string, string>();
  const takers = new Set<string>();
  for (const node of nodes)
    for (const flag of node.flags) {
      if (flag.takesValue) takers.add(flag.name);
      if (flag.values.length > 0) values.set(`${node.path.join(' ')}:${flag.name}`, flag.values.join(' '));
    }
  return `# bash completion for commonplace
_commonplace() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local at='' word words='' skip='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [ -n "$skip" ]; then skip=''; continue; fi
    case "$word" in
    ${[...takers].join('|')}) skip=yes; continue ;;
    -*) continue ;;
    esac
    case "$at" in
    '') at=$word ;;
    ${groups.map(({ path }) => `'${path.join(' ')}'`).join('|')}) at="$at $word" ;;
    esac
  done
  case "$at:$previous" in
${[...values].map(([key, list]) => `    '${key}') COMPREPLY=($(compgen -W '${list}' -- "$current")); return ;;`).join('\n')}
  esac
  if [ -n "$skip" ]; then return; fi
  case "$at" in
${words.join('\n')}
  esac
  case "$current" in
  -*) ;;
  *) words=$(printf '%s\\n' $words | grep -v '^-') ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _commonplace commonplace
`;
}
