import { Box } from 'ink';
import { render } from 'ink-testing-library';
import { expect, it } from 'vitest';
import { LineView } from '../../../source/kit/line-view.tsx';

it('has a row for a line that is empty, or all blank', () => {
  const lines = [[{ text: 'a' }], [], [{ text: '  ' }], [{ text: 'b  ' }]];
  const { lastFrame, unmount } = render(
    <Box flexDirection="column">
      {lines.map((line, row) => (
        <LineView key={row} line={line} />
      ))}
    </Box>,
  );
  expect(lastFrame()).toBe('a\n\n\nb');
  unmount();
});
