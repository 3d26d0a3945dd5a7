import type { ManifestCapability } from '../manifest.ts';
import type { Problem } from '../problem.ts';
import { toMistake } from './to-mistake.ts';

/** Finds what keeps AI agents from using a tool well. What some models refuse, the server adapts. */
export function findToolMistakes(capability: ManifestCapability): readonly Problem[] {
  const { key, tool, description, output, answers } = capability;
  if (tool === false) return [];
  const name = tool?.name ?? key.replaceAll('.', '_');
  const hasDescription = description !== undefined || tool?.description !== undefined;
  const hasOutput = output !== undefined || answers.length > 0;
  return [
    ...(hasDescription
      ? []
      : [
          toMistake('tool-without-description', capability, {
            message: `The tool \`${name}\` has no description: its name is all that an agent sees.`,
            hint: ".describe('What it does, and when to use it.')",
          }),
        ]),
    ...(hasOutput
      ? []
      : [
          toMistake('tool-without-output', capability, {
            message: `The tool \`${name}\` does not say what it answers with.`,
            hint: '.output(z.object({ … }))',
          }),
        ]),
  ];
}
