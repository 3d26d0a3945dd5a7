import { join } from 'node:path';
import { useEffect, useState } from 'react';
import type { CliError } from '../cli/cli-error.ts';
import type { Manifest } from '../project/manifest.ts';
import { toCapabilityName } from './capability-name.ts';
import { writeChanges } from './file-change.ts';
import { type Generated, generateCapability } from './generate-capability.ts';

/** What is asked for, as it was typed. */
export interface CapabilityWish {
  readonly group: string;
  readonly name: string;
  readonly withInput: boolean;
}

/** What a wish comes to. */
export type Preview =
  | { readonly kind: 'none' }
  | { readonly kind: 'ready'; readonly generated: Generated }
  /** It cannot be written: a bad name, something of that name is there. */
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string | undefined };

/** Works out what a wish comes to while it is typed, anew after every change of the project. Writes nothing. */
export function usePreview({ group, name, withInput }: CapabilityWish, manifest: Manifest): Preview {
  const [preview, setPreview] = useState<Preview>({ kind: 'none' });
  useEffect(() => {
    let isOld = false;
    const show = (next: Preview): void => {
      if (!isOld) setPreview(next);
    };
    toPreview({ group, name, withInput }, manifest).then(show, (error: CliError) =>
      show({ kind: 'refused', message: error.message, hint: error.hint }),
    );
    return () => {
      isOld = true;
    };
  }, [group, name, withInput, manifest]);
  return preview;
}

async function toPreview({ group, name, withInput }: CapabilityWish, { project }: Manifest): Promise<Preview> {
  if (name.trim() === '') return { kind: 'none' };
  const generated = await generateCapability({
    project: { name: project.name, root: project.root, configFile: join(project.root, project.config) },
    name: toCapabilityName(group.trim() === '' ? undefined : group, name),
    withInput,
    force: false,
  });
  return { kind: 'ready', generated };
}

/** Writes what the preview shows. */
export async function writeGenerated({ changes }: Generated): Promise<void> {
  await writeChanges(changes);
}
