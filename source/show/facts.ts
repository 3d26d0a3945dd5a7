import type { CapabilityDescription } from './describe-capability.ts';

/** One thing that is told of a capability, in words. */
export interface Fact {
  readonly label: string;
  /** At least one. */
  readonly values: readonly string[];
}

/** Everything that is known of a capability beside its schemas, in the order in which it is told. */
export function toFacts(description: CapabilityDescription): readonly Fact[] {
  const { because, guards, unguarded } = description;
  const facts: readonly (readonly [label: string, values: readonly (string | undefined)[]])[] = [
    ['Route', [description.route]],
    ['Also', description.otherRoutes],
    ['Takes', description.takes],
    ['Because', [because]],
    ['Job', description.job],
    ['Intent', [description.intent]],
    ['Guards', guards.length === 0 ? [unguarded] : guards],
    ['Enhancers', description.enhancers],
    ['Answers', description.answers],
    ['Errors', description.errors],
    ['Caching', description.caching],
    ['Deprecated', [description.deprecation]],
    ['Agents', description.agents],
    ['Same input', description.sameInput],
    ['Same output', description.sameOutput],
    ['Source', [description.source]],
  ];
  return facts
    .map(([label, values]) => ({ label, values: values.filter((value) => value !== undefined) }))
    .filter(({ values }) => values.length > 0);
}

export const noInput = 'none declared: the handler gets the fields as they arrive';

/** An answer may be declared and have no schema. */
export function toMissingOutput({ answers }: CapabilityDescription): string {
  return answers.length === 0 ? 'none declared' : 'no data';
}
