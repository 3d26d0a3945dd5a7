import { Box, Text, useApp, useInput, useWindowSize } from 'ink';
import { useState } from 'react';
import type { ScreenProps } from '../cli/command.ts';
import type { CommandSummary } from '../cli/command-help.ts';

/** `capix` alone, in a terminal: the commands, to be looked through. */
export default function HomeScreen({ help: { commands } }: ScreenProps) {
  const { exit } = useApp();
  const { rows, columns } = useWindowSize();
  const [selected, setSelected] = useState(0);

  useInput((input, key) => {
    if (key.escape || input === 'q') exit();
    else if (key.downArrow || input === 'j') setSelected((index) => Math.min(index + 1, commands.length - 1));
    else if (key.upArrow || input === 'k') setSelected((index) => Math.max(index - 1, 0));
    else if (key.return) exit({ message: `Run: capix ${commands[selected]?.usage ?? '--help'}` });
  });

  const visibleRows = Math.max(rows - 4, 1);
  const first = Math.min(Math.max(selected - visibleRows + 1, 0), Math.max(commands.length - visibleRows, 0));
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Text bold>capix</Text>
      <Box flexDirection="column" flexGrow={1} overflow="hidden" marginTop={1}>
        {commands.slice(first, first + visibleRows).map((command, offset) => (
          <CommandRow key={command.name} command={command} isSelected={first + offset === selected} />
        ))}
      </Box>
      <Text dimColor>↑↓ move · Enter how to run it · q leave</Text>
    </Box>
  );
}

function CommandRow({ command, isSelected }: { readonly command: CommandSummary; readonly isSelected: boolean }) {
  return (
    <Text wrap="truncate-end" bold={isSelected}>
      {isSelected ? '> ' : '  '}
      {command.name.padEnd(18)} {command.summary}
    </Text>
  );
}
