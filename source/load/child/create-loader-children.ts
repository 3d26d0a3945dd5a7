import type { LoadProgress, LoadRequest } from './load-request.ts';
import { type ChildAnswer, type LoaderChild, startLoaderChild } from './start-loader-child.ts';

/** The processes that load a project, one after the other: the next one always waits. */
export interface LoaderChildren {
  /** Loads in the process that waits, which is ended after that; then another one waits. */
  readonly load: (
    request: LoadRequest,
    onProgress: (progress: LoadProgress) => void,
  ) => Promise<Exclude<ChildAnswer, { readonly kind: 'unfit' }>>;
  /** The process that waits, or loads. */
  readonly current: () => LoaderChild;
  /** Ends the process; none follows. */
  readonly end: () => void;
}

export function createLoaderChildren(): LoaderChildren {
  let current = startLoaderChild();
  let isEnded = false;
  return {
    load: async (request, onProgress) => {
      try {
        let answer = await current.load(request, onProgress);
        while (answer.kind === 'unfit') {
          current.end();
          current = startLoaderChild();
          answer = await current.load(request, onProgress);
        }
        return answer;
      } finally {
        current.end();
        if (!isEnded) current = startLoaderChild();
      }
    },
    current: () => current,
    end: () => {
      isEnded = true;
      current.end();
    },
  };
}
