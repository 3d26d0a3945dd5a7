/** What helpers have left open: ended after every test, or after every file. Gone with its tasks, it can be done once more. */
interface CleanUp {
  readonly afterEachTest: Set<() => unknown>;
  readonly afterEachFile: Set<() => unknown>;
}

/** Tasks that helpers add once, when they are imported; `run-clean-up.ts` does them for every file, also where many share a process. */
export const cleanUp: CleanUp = { afterEachTest: new Set(), afterEachFile: new Set() };
