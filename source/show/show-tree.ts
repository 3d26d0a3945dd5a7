import { toMethodToken } from '../kit/theme/tokens.ts';
import type { Manifest, ManifestCapability } from '../manifest/manifest.ts';
import { hasRoute, type Listed } from '../manifest/operations/listed.ts';
import { toCapabilityCurl } from '../record/capability-curl.ts';
import type { ServerAddress } from '../screens/use-server-address.ts';
import { toShape } from '../shape/read/to-shape.ts';
import { toSampleValue } from '../shape/sample-value.ts';
import { describeCapability, toMissingOutput } from './describe-capability.ts';
import { type ShowNode, toFact, toFactList, toReason, toSchemaNode, toTextNodes, withMore } from './show-node.ts';

export interface ShowTreeOptions {
  readonly manifest: Manifest;
  /** The server that the curl command calls. */
  readonly address: ServerAddress;
  /** Columns of the tree. */
  readonly width: number;
}

/** Everything that is known of a capability, as a tree in `width` columns. What is longer than its line goes on below it: nothing is cut. */
export function toShowTree(capability: Listed, { manifest, address, width }: ShowTreeOptions): readonly ShowNode[] {
  const facts = describeCapability(capability, manifest);
  const { deprecation } = capability;
  const nodes: readonly (ShowNode | undefined)[] = [
    ...(facts.description ? toTextNodes(facts.description, { id: 'description', width }) : []),
    facts.deprecation === undefined
      ? undefined
      : { ...toFact('Deprecated', facts.deprecation, { width, token: 'warning' }), leadsTo: deprecation?.use },
    hasRoute(capability) ? toRouteNode(capability, width) : undefined,
    toFactList('Job', facts.job, { width }),
    toFactList('Also', facts.otherRoutes, { width }),
    toFactList('Takes', facts.takes, { width }),
    toFact('Intent', facts.intent, { width }),
    toFactList('Guards', facts.guards, { width }) ?? toFact('Guards', facts.unguarded, { width, token: 'muted' }),
    toFactList('Enhancers', facts.enhancers, { width }),
    toFactList('Answers', facts.answers, { width }),
    toFactList('Errors', facts.errors, { width }),
    toFactList('Caching', facts.caching, { width }),
    toFactList('Agents', facts.agents, { width }),
    toSchemaNode('Input', facts.input, { width, missing: 'none declared: the handler gets the fields as they arrive' }),
    toSchemaNode('Output', facts.output, { width, missing: toMissingOutput(facts) }),
    toFactList('Same input', facts.sameInput, { width, isLink: true }),
    toFactList('Same output', facts.sameOutput, { width, isLink: true }),
    facts.source === undefined ? undefined : toFact('Source', facts.source, { width }),
    ...(hasRoute(capability)
      ? [toServerFact(address, width), toFact('curl', toSampleCurl(capability, address), { width })]
      : []),
  ];
  return nodes.filter((node) => node !== undefined);
}

function toRouteNode({ method, path, explanation }: ManifestCapability, width: number): ShowNode {
  return withMore(toFact('Route', `${method} ${path}`, { width, token: toMethodToken(method) }), [
    ...toReason('because', explanation.fired.replace(/^[A-Z]+ \S+: /, ''), { width }),
    ...toReason('nearest', explanation.nearest, { width, token: 'muted' }),
    ...toReason('to change', explanation.change, { width, token: 'muted' }),
  ]);
}

/** The command line that calls a capability, with an input that looks like what its schema asks for. */
export function toSampleCurl(capability: ManifestCapability, { url }: Pick<ServerAddress, 'url'>): string {
  return toCapabilityCurl(capability, {
    baseUrl: url,
    input: toSampleValue(toShape(capability.input?.json)),
  });
}

function toServerFact({ url, isRunning }: ServerAddress, width: number): ShowNode | undefined {
  if (isRunning === undefined) return undefined;
  return isRunning
    ? toFact('Server', `${url}, capix dev`, { width })
    : toFact('Server', `not running; it would be at ${url}`, { width, token: 'muted' });
}
