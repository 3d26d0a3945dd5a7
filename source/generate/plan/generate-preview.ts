import type { CliError } from '../../cli/errors/cli-error.ts';
import type { Project } from '../../manifest/project.ts';
import { toCapabilityName, toGroupName, toNameParts } from './capability-name.ts';
import { generateCapability } from './generate-capability.ts';
import { generateGroup } from './generate-group.ts';
import type { Generated } from './generated.ts';
import { readGroupChain } from './group-chain.ts';

/** The wish as it was typed. */
export type Wish =
  | {
      readonly kind: 'capability';
      /** Empty for the root. */
      readonly group: string;
      readonly name: string;
      readonly withInput: boolean;
      readonly force: boolean;
    }
  | { readonly kind: 'group'; readonly name: string };

/** The outcome of a wish. */
export type GeneratePreview =
  /** It has no name yet. */
  | { readonly kind: 'none' }
  | { readonly kind: 'ready'; readonly generated: Generated }
  /** It cannot be written: a bad name, or something of that name is there. */
  | {
      readonly kind: 'refused';
      /** The field that it is about. */
      readonly field: 'group' | 'name';
      readonly code: string;
      readonly message: string;
      readonly hint: string | undefined;
    };

/** Works out what a wish comes to. Writes nothing, and never rejects. */
export async function loadGeneratePreview(wish: Wish, project: Project): Promise<GeneratePreview> {
  try {
    if (wish.kind === 'capability') await readGroupChain(project, toNameParts(wish.group));
  } catch (error) {
    return toRefusal('group', error as CliError);
  }
  if (wish.name.trim() === '') return { kind: 'none' };
  try {
    return { kind: 'ready', generated: await generate(wish, project) };
  } catch (error) {
    return toRefusal('name', error as CliError);
  }
}

async function generate(wish: Wish, project: Project): Promise<Generated> {
  switch (wish.kind) {
    case 'capability': {
      const { group, withInput, force } = wish;
      const name = toCapabilityName(group.trim() === '' ? undefined : group, wish.name);
      return generateCapability({ project, name, withInput, force });
    }
    case 'group':
      return generateGroup(project, toGroupName(wish.name));
  }
}

function toRefusal(field: 'group' | 'name', { code, message, hint }: CliError): GeneratePreview {
  // Said of a command; here nothing was to be written yet.
  return { kind: 'refused', field, code, message: message.replace(/ Nothing was written\.$/, ''), hint };
}
