import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { toProjectPath } from '../../manifest/project.ts';
import type { CallResult } from './call-protocol.ts';

interface ContextFacts {
  /** Whether the call had no context of the project's own. */
  readonly isStub: boolean;
  readonly project: Pick<LoadedRegistry, 'context' | 'project'>;
}

/** The hint for a call that was refused, or failed, for what may be missing in its context. */
export function toContextHint(
  { status, thrown }: Pick<CallResult, 'status' | 'thrown'>,
  { isStub, project: { context, project } }: ContextFacts,
): string | undefined {
  if (!isStub || (status !== 401 && status !== 403 && thrown === undefined)) return undefined;
  const how =
    context === undefined
      ? `Export context from ${toProjectPath(project.entryFile, project.root)} and fill in a header, or call the server`
      : 'Fill in a header, as authorization: then it is the context of the project';
  return `The context was a stub, { requestId, signal }. ${how}.`;
}
