import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import type { Problem } from '../manifest/problem.ts';
import { useScreen } from '../screens/use-screen.ts';

const bindings: readonly KeyBinding<'edit' | 'problems'>[] = [
  { action: 'edit', keys: ['e'], help: 'Open its source in $EDITOR', hint: 'edit' },
  { action: 'problems', keys: ['!'], help: 'The problems of the project', hint: 'problems' },
];

/** The keys where there is no document, but problems; and how far those are scrolled. */
export function useDocumentProblems(problems: readonly Problem[]) {
  const { edit, go } = useScreen();
  const [offset, onOffset] = useKept('problems offset', 0);
  const { file, line } = problems.find(({ severity }) => severity === 'error') ?? problems[0] ?? {};
  useKeys<'edit' | 'problems'>({
    title: 'OpenAPI',
    bindings,
    onAction: (action) =>
      action === 'problems' ? go({ screen: 'check' }) : edit(file === undefined ? undefined : { file, line }),
  });
  return { offset, onOffset };
}
