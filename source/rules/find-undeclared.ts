import type { Operation } from '../../server-runtime/registry/operation.ts';
import type { Listed } from '../manifest/listed.ts';
import { type Problem, toMistake } from '../manifest/problem.ts';

/** Finds answers and refusals that nobody is told of. */
export function findUndeclared(capabilities: readonly Listed[], operations: readonly Operation[]): readonly Problem[] {
  return [...findMissingOutputs(capabilities), ...findBareGuards(capabilities, operations)];
}

/** An answer is forgotten where most are declared; few in a project are left to TypeScript on purpose. */
function findMissingOutputs(capabilities: readonly Listed[]): readonly Problem[] {
  const missing = capabilities.filter(({ facts }) => facts.answers.length === 0);
  if (missing.length * 2 >= capabilities.length) return [];
  return missing.map((capability) => {
    const message =
      `\`${capability.key}\` does not say what it answers with, as most others do: documents and generated clients ` +
      'take it for anything.';
    return toMistake('missing-output', capability, { message, hint: 'Add it: .output(z.object({ … })).' });
  });
}

/** Each guard is told once, at the first capability that it guards. One that does nothing refuses nobody. */
function findBareGuards(capabilities: readonly Listed[], operations: readonly Operation[]): readonly Problem[] {
  const keysOf = new Map<object, string[]>();
  for (const { key, definition } of operations)
    for (const guard of definition.guards) {
      const { errors, security, isOptional, check } = guard;
      const isBare = errors.length === 0 && security === undefined && !isOptional && !/\{\s*\}$/.test(String(check));
      if (isBare) keysOf.set(guard, [...(keysOf.get(guard) ?? []), key]);
    }
  return [...keysOf].flatMap(([guard, keys]) => {
    const capability = capabilities.find(({ key }) => key === keys[0]);
    if (capability === undefined) return [];
    const { name } = guard as { readonly name: string };
    const message =
      `The guard \`${name}\` of \`${keys.join('`, `')}\` declares neither its errors nor the credential that it asks ` +
      'for: nobody is told what to send.';
    const hint =
      `Say both: defineGuard(${name}, { errors: [defaultErrors.Unauthorized], security: { type: 'http', scheme: ` +
      `'bearer' } }).`;
    return [{ ...toMistake('bare-guard', capability, { message, hint }), keys }];
  });
}

/** Finds what keeps AI agents from using a tool well. What some models refuse, the server adapts. */
export function findToolMistakes(capability: Listed): readonly Problem[] {
  const { key, facts } = capability;
  const { tool, description, answers } = facts;
  if (tool === false) return [];
  const name = tool?.name ?? key.replaceAll('.', '_');
  const hasDescription = description !== undefined || tool?.description !== undefined;
  const undescribed = `The tool \`${name}\` has no description: its name is all that an agent sees.`;
  const unsaid = `The tool \`${name}\` does not say what it answers with.`;
  const hint = ".describe('What it does, and when to use it.')";
  return [
    ...(hasDescription ? [] : [toMistake('tool-without-description', capability, { message: undescribed, hint })]),
    ...(answers.length > 0
      ? []
      : [toMistake('tool-without-output', capability, { message: unsaid, hint: '.output(z.object({ … }))' })]),
  ];
}
