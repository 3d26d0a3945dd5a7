import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { usePolled } from '../../../source/kit/use-ui.ts';

test('a draw looks at nothing anew: only time does', async () => {
  let looks = 0;
  const look = (): Promise<{ readonly port: number }> => {
    looks += 1;
    // The second one never ends, so that there is no third, however long the draws take.
    return looks === 1 ? Promise.resolve({ port: 4000 }) : new Promise(() => {});
  };
  function Port({ draw }: { readonly draw: number }) {
    const { port } = usePolled(look, { port: 3000 });
    return <Text>{`draw ${draw}: ${port}`}</Text>;
  }
  const app = render(<Port draw={0} />);
  await expect.poll(() => app.lastFrame()).toBe('draw 0: 4000');
  for (let draw = 1; draw <= 20; draw++) app.rerender(<Port draw={draw} />);
  await expect.poll(() => app.lastFrame()).toBe('draw 20: 4000');
  expect(looks).toBeLessThan(3);
  app.unmount();
});
