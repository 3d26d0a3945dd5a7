import { hash } from 'node:crypto';
import type { OpenApiDocument, PathItemObject } from '../../../server-runtime/http/document/openapi-document.ts';
import type { Manifest, ManifestCapability } from '../../manifest/manifest.ts';
import type { Problem } from '../../manifest/problem.ts';

/** A manifest whose long lists name their items by fingerprint. */
export interface PackedManifest extends Omit<Manifest, 'capabilities' | 'problems' | 'contract' | 'document'> {
  readonly capabilities: readonly string[];
  readonly problems: readonly string[];
  readonly contract?: PackedDocument | undefined;
  readonly document?: PackedDocument | undefined;
}

interface PackedDocument extends Omit<OpenApiDocument, 'paths'> {
  readonly paths: Readonly<Record<string, string>>;
}

type Item = ManifestCapability | Problem | PathItemObject;

/** Items that the receiver does not have yet, by fingerprint. */
export type ManifestPart = Readonly<Record<string, Item>>;

/** Items in one part: few enough to be read between two keys. */
const PART = 100;

/**
 * Takes a manifest apart: gives what is not `known` in parts, so that whoever reads them can do something else in between, and returns the
 * manifest that they belong to.
 */
export function* packManifest(
  manifest: Manifest,
  known: readonly string[],
): Generator<ManifestPart, PackedManifest, undefined> {
  const sent = new Set(known);
  const { capabilities, problems, contract, document } = manifest;
  return {
    ...manifest,
    capabilities: yield* packItems(capabilities, sent),
    problems: yield* packItems(problems, sent),
    contract: contract && (yield* packDocument(contract, sent)),
    document: document && (yield* packDocument(document, sent)),
  };
}

function* packDocument(document: OpenApiDocument, sent: Set<string>): Generator<ManifestPart, PackedDocument> {
  return { ...document, paths: toRecord(document.paths, yield* packItems(Object.values(document.paths), sent)) };
}

/** A record with the same keys. */
function toRecord<Value>(
  keys: Readonly<Record<string, unknown>>,
  values: readonly Value[],
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.keys(keys).map((key, index) => [key, values[index] as Value]));
}

function* packItems(items: readonly Item[], sent: Set<string>): Generator<ManifestPart, readonly string[], undefined> {
  const fingerprints: string[] = [];
  for (let from = 0; from < items.length; from += PART) {
    const part: Record<string, Item> = {};
    for (const item of items.slice(from, from + PART)) {
      const fingerprint = hash('sha1', JSON.stringify(item), 'base64').slice(0, 16);
      fingerprints.push(fingerprint);
      if (!sent.has(fingerprint)) part[fingerprint] = item;
      sent.add(fingerprint);
    }
    if (Object.keys(part).length > 0) yield part;
  }
  return fingerprints;
}

/** Puts the manifests of one project together, one after the other. */
export interface ManifestUnpacker {
  /** Fingerprints of what need not be sent. */
  readonly known: () => readonly string[];
  readonly add: (part: ManifestPart) => void;
  /** The manifest, in which everything that has not changed since the last one is the same object. */
  readonly unpack: (manifest: PackedManifest) => Manifest;
}

export function createManifestUnpacker(): ManifestUnpacker {
  let items = new Map<string, Item>();
  let last: Manifest | undefined;
  return {
    known: () => [...items.keys()],
    add: (part) => {
      for (const [fingerprint, item] of Object.entries(part)) items.set(fingerprint, item);
    },
    unpack: (packed) => {
      const kept = new Map<string, Item>();
      const pick = <One extends Item>(fingerprints: readonly string[], before: readonly One[] = []): readonly One[] => {
        const picked = fingerprints.map((fingerprint) => {
          const item = items.get(fingerprint) as One;
          kept.set(fingerprint, item);
          return item;
        });
        const isSame = picked.length === before.length && picked.every((item, index) => item === before[index]);
        return isSame ? before : picked;
      };
      const toDocument = (document: PackedDocument | undefined): OpenApiDocument | undefined =>
        document && { ...document, paths: toRecord(document.paths, pick(Object.values(document.paths))) };
      last = {
        ...packed,
        capabilities: pick(packed.capabilities, last?.capabilities),
        problems: pick(packed.problems, last?.problems),
        contract: toDocument(packed.contract),
        document: toDocument(packed.document),
      };
      items = kept;
      return last;
    },
  };
}
