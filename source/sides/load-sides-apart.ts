import { type DocumentSource, loadDocumentSide } from './load-document-side.ts';
import { loadConfigApart, loadRefApart } from './load-ref-apart.ts';
import type { ContractSide, LoadSideOptions } from './load-side.ts';
import type { SideSource } from './side-source.ts';
import { type Sides, toComparable } from './to-comparable.ts';

/**
 * Loads two sides for a command that stays open, as they can be compared: documents are read, code runs in processes of its own.
 *
 * @throws CliError as `loadSide` does
 */
export async function loadSidesApart(
  [before, after]: readonly [SideSource, SideSource],
  options: Omit<LoadSideOptions, 'signal' | 'withDocument'>,
): Promise<Sides> {
  const read = await Promise.all(
    [before, after].map(async (each) => (isDocument(each) ? loadDocumentSide(each) : undefined)),
  );
  const withDocument = read.some((side) => side?.isDocument);
  const load = async (source: SideSource, side: ContractSide | undefined): Promise<ContractSide> =>
    side ?? { label: source.label, manifest: await loadCode(source, { ...options, withDocument }), isDocument: false };
  return toComparable(await Promise.all([load(before, read[0]), load(after, read[1])]));
}

function isDocument(source: SideSource): source is DocumentSource {
  return source.kind === 'file' || source.kind === 'url';
}

function loadCode(source: SideSource, options: Omit<LoadSideOptions, 'signal'>): ReturnType<typeof loadRefApart> {
  switch (source.kind) {
    case 'ref':
      return loadRefApart(source, options);
    case 'config':
      return loadConfigApart(source, options);
    case 'file':
    case 'url':
      return loadDocumentSide(source).then(({ manifest }) => manifest);
  }
}
