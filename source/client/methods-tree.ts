import { indent, toPropertyName } from './to-type-script.ts';

export interface PlacedMethod {
  readonly groups: readonly string[];
  readonly name: string;
  /** The property, with `NAME` where its name stands. */
  readonly text: string;
}

interface Node {
  readonly methods: string[];
  readonly groups: Map<string, Node>;
}

/** The properties of an object in which methods stand under their groups, in the order given. */
export function toMethodsTree(methods: readonly PlacedMethod[]): string {
  const root: Node = { methods: [], groups: new Map() };
  for (const { groups, name, text } of methods) {
    const node = groups.reduce<Node>((at, group) => {
      const next = at.groups.get(group) ?? { methods: [], groups: new Map<string, Node>() };
      at.groups.set(group, next);
      return next;
    }, root);
    node.methods.push(text.replace(/^NAME(?=: call\()/m, toPropertyName(name)));
  }
  return render(root);
}

function render({ methods, groups }: Node): string {
  const inner = [...groups].map(([name, node]) => `${toPropertyName(name)}: {\n${indent(render(node))}\n},`);
  return [...methods, ...inner].join('\n');
}
