import type { Listed } from '../listed.ts';
import type { Problem } from '../problem.ts';
import { toMistake } from './to-mistake.ts';

/** Finds what keeps AI agents from using a tool well. What some models refuse, the server adapts. */
export function findToolMistakes(capability: Listed): readonly Problem[] {
  const { key, facts } = capability;
  const { tool, description, answers } = facts;
  if (tool === false) return [];
  const name = tool?.name ?? key.replaceAll('.', '_');
  const hasDescription = description !== undefined || tool?.description !== undefined;
  return [
    ...(hasDescription
      ? []
      : [
          toMistake('tool-without-description', capability, {
            message: `The tool \`${name}\` has no description: its name is all that an agent sees.`,
            hint: ".describe('What it does, and when to use it.')",
          }),
        ]),
    ...(answers.length > 0
      ? []
      : [
          toMistake('tool-without-output', capability, {
            message: `The tool \`${name}\` does not say what it answers with.`,
            hint: '.output(z.object({ … }))',
          }),
        ]),
  ];
}
