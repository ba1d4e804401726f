import type { CompletionFlag, CompletionNode } from './completion-nodes.ts';

function flagWords({ name, about, takesValue, values }: CompletionFlag): string {
  const value = !takesValue ? '' : values.length > 0 ? ` -x -a '${values.join(' ')}'` : ' -r';
  return ` -l ${name.slice(2)}${value} -d '${about}'`;
}

function nodeLines({ path, commands, flags }: CompletionNode): string[] {
  const at = path.join(' ');
  const condition = ` -n '__commonplace_at "${at}"'`;
  return [
    ...commands.map(({ name, about }) => `complete -c commonplace -f${condition} -a ${name} -d '${about}'`),
    ...flags.map((flag) => `complete -c commonplace${condition}${flagWords(flag)}`),
  ];
}

/** A script for fish: one line for each word that can be typed, with the command after which it stands. */
export function fishScript(nodes: readonly CompletionNode[]): string {
  const takers = new Set(
    nodes.flatMap(({ flags }) => flags.flatMap(({ name, takesValue }) => (takesValue ? [name] : []))),
  );
  const groups = nodes.flatMap(({ path, commands }) =>
    path.length > 0 && commands.length > 0 ? [path.join(' ')] : [],
  );
  return `# fish completion for commonplace
function __commonplace_at --description 'Whether the words typed so far name this command'
    set -l at
    set -l skip
    for word in (commandline -opc)[2..-1]
        if test -n "$skip"
            set skip
            continue
        end
        switch $word
            case ${[...takers].join(' ')}
                set skip yes
            case '-*'
            case '*'
                if test -z "$at"
                    set at $word
                else if contains -- "$at" ${groups.map((group) => `'${group}'`).join(' ')}
                    set at "$at $word"
                end
        end
    end
    test "$at" = "$argv[1]"
end

${nodes.flatMap(nodeLines).join('\n')}
`;
}
