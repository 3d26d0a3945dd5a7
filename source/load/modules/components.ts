/** Nodes that lead to one another, in circles; most are alone. */
export type Component = readonly string[];

/** Parts a graph into its components (Tarjan): each comes after those that it leads to. */
export function toComponents(nodes: Iterable<string>, next: (node: string) => readonly string[]): readonly Component[] {
  const components: Component[] = [];
  const indexes = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const visit = (node: string): number => {
    const index = indexes.size;
    let low = index;
    indexes.set(node, index);
    open.push(node);
    isOpen.add(node);
    for (const other of next(node)) {
      const known = indexes.get(other);
      if (known === undefined) low = Math.min(low, visit(other));
      else if (isOpen.has(other)) low = Math.min(low, known);
    }
    if (low === index) {
      const component = open.splice(open.lastIndexOf(node));
      for (const member of component) isOpen.delete(member);
      components.push(component);
    }
    return low;
  };
  for (const node of nodes) if (!indexes.has(node)) visit(node);
  return components;
}
