import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { useEffect } from 'react';
import { expect, it } from 'vitest';
import { MemoryContext, useMemory } from '../../../source/kit/use-ui.ts';

let set: (value: number) => void = () => {};

function Offset({ name }: { readonly name: string }) {
  const [offset, setOffset] = useMemory(name, 0);
  useEffect(() => {
    set = setOffset;
  });
  return <Text>{offset}</Text>;
}

it('is another state under another name, and the same again under the first', async () => {
  const kept = new Map<string, unknown>();
  const toScreen = (name: string) => (
    <MemoryContext value={kept}>
      <Offset name={name} />
    </MemoryContext>
  );
  const { lastFrame, rerender, unmount } = render(toScreen('one'));
  set(7);
  await expect.poll(lastFrame).toBe('7');
  rerender(toScreen('two'));
  await expect.poll(lastFrame).toBe('0');
  set(3);
  await expect.poll(lastFrame).toBe('3');
  rerender(toScreen('one'));
  await expect.poll(lastFrame).toBe('7');
  unmount();
});
