import { toOperationId } from '../../server-runtime/openapi/operation-id.ts';
import { toRouteShape } from '../contract/facts/route-shape.ts';
import type { Manifest, ManifestCapability } from '../manifest/manifest.ts';
import { isSchemaObject } from '../shape/read/schema-json.ts';
import { toDocumentContract } from './document/document-contract.ts';
import type { ContractSide } from './load-side.ts';

export type Sides = readonly [before: ContractSide, after: ContractSide];

/** Two sides that can be compared: where one is an OpenAPI document, so is the other, since what a document does not say has not changed. */
export function toComparable([before, after]: Sides): Sides {
  if (!before.isDocument && !after.isDocument) return [before, after];
  const [old, now] = withSameJobs([toDocumentSide(before), toDocumentSide(after)]);
  return before.isDocument ? [withKeysOf(old, now), now] : [old, withKeysOf(now, old)];
}

/** A document that says nothing of jobs, as that of a running server, has the same as the other side. */
function withSameJobs([before, after]: Sides): Sides {
  const isTold = [before, after].every(({ manifest }) => manifest.jobs !== undefined);
  if (isTold) return [before, after];
  const without = (side: ContractSide): ContractSide => ({ ...side, manifest: { ...side.manifest, jobs: undefined } });
  return [without(before), without(after)];
}

function toDocumentSide(side: ContractSide): ContractSide {
  const { manifest } = side;
  if (side.isDocument || !isSchemaObject(manifest.document)) return side;
  const contract = toDocumentContract(manifest.document, side.label);
  const byId = new Map(manifest.capabilities.map((capability) => [toOperationId(capability.key), capability]));
  const capabilities = contract.capabilities.map((capability) => {
    const own = byId.get(capability.key);
    return own === undefined ? capability : { ...capability, key: own.key, name: own.name, source: own.source };
  });
  return { ...side, manifest: { ...contract, project: manifest.project, capabilities } };
}

/** The operations of a side under the keys of the other: those of the same `operationId`, else of the same route. */
function withKeysOf(side: ContractSide, other: ContractSide): ContractSide {
  const ids = new Map(other.manifest.capabilities.map(({ key }) => [toOperationId(key), key]));
  const routes = new Map(other.manifest.capabilities.map((each) => [toRouteShape(each), each.key]));
  const named = new Set(side.manifest.capabilities.map(({ key }) => ids.get(toOperationId(key))));
  const rename = (capability: ManifestCapability): ManifestCapability => {
    const byRoute = routes.get(toRouteShape(capability));
    const key = ids.get(toOperationId(capability.key)) ?? (named.has(byRoute) ? undefined : byRoute);
    return key === undefined ? capability : { ...capability, key };
  };
  const manifest: Manifest = { ...side.manifest, capabilities: side.manifest.capabilities.map(rename) };
  return { ...side, manifest };
}
