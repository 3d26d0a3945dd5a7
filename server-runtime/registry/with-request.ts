import {
  expectFieldsOfAny,
  joinRequests,
  type TakesOptions,
  toDeclaredRequest,
  toRequestOf,
} from '../capability/route/declared-request.ts';
import { type CompiledRegistry, toRegistry } from './compile-registry.ts';

/**
 * The same registry where every capability takes these fields from headers and cookies, unless it says otherwise
 * itself. `owner` says it.
 *
 * @throws TypeError for a name that cannot be, and for a field that no capability has
 */
export function withRequest(
  registry: CompiledRegistry,
  owner: string,
  options: TakesOptions | undefined,
): CompiledRegistry {
  if (options === undefined) return registry;
  const request = toDeclaredRequest(owner, options);
  expectFieldsOfAny(
    owner,
    registry.operations.map(({ definition }) => definition.schema),
    request,
  );
  return toRegistry(
    registry.operations.map((operation) => {
      const { definition } = operation;
      const own = toRequestOf(definition.schema, request);
      return Object.freeze({
        ...operation,
        definition: Object.freeze({ ...definition, request: joinRequests(own, definition.request) }),
      });
    }),
  );
}
