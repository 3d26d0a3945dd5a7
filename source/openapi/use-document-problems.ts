import { useKept } from '../kit/kept/use-kept.ts';
import { toBindings } from '../kit/keys/actions.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import type { Problem } from '../manifest/problem.ts';
import { useScreen } from '../screens/use-screen.ts';

const bindings = toBindings(['edit', 'show'], { show: { help: 'The problems of the project', hint: 'problems' } });

/** The keys where there is no document, but problems; and how far those are scrolled. */
export function useDocumentProblems(problems: readonly Problem[]) {
  const { edit, go } = useScreen();
  const [offset, onOffset] = useKept('problems offset', 0);
  const { file, line } = problems.find(({ severity }) => severity === 'error') ?? problems[0] ?? {};
  useKeys({
    title: 'OpenAPI',
    bindings,
    onAction: (action) =>
      action === 'show' ? go({ screen: 'check' }) : edit(file === undefined ? undefined : { file, line }),
  });
  return { offset, onOffset };
}
