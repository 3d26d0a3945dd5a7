import { Box } from 'ink';
import { fitLine } from '../../kit/line.ts';
import { LineView } from '../../kit/line-view.tsx';
import { LoadingLine, ScreenFrame } from '../../screens/screen-frame.tsx';
import { Shell } from '../../screens/shell.tsx';
import { useScreen } from '../../screens/use-screen.ts';
import { DevPanes } from './dev-panes.tsx';
import { toDevStatus } from './dev-state.ts';
import { type OpenDev, useDev } from './use-dev.ts';
import { useDevPanes } from './use-dev-panes.ts';

/** `capix dev`: the server, how it stands, its routes, its requests, its log, its jobs. */
export default function DevScreen() {
  const dev = useDev();
  const { findings, notice, back, commands, edit, stop } = useScreen();
  if (dev === undefined) {
    return (
      <ScreenFrame screen="dev">
        <LoadingLine />
      </ScreenFrame>
    );
  }
  const { state } = dev.store;
  return (
    <Shell
      project={dev.name}
      screen="dev"
      status={toDevStatus(state)}
      problemCount={findings?.length ?? 0}
      failure={state.failure}
      onEditFailure={state.failure?.place && (() => edit(state.failure?.place))}
      onStop={stop}
      trouble={state.watchTrouble}
      notice={notice}
      commands={commands}
      onBack={back}
    >
      <DevBody dev={dev} />
    </Shell>
  );
}

function DevBody({ dev }: { readonly dev: OpenDev }) {
  const { head, columns, rows, ...panes } = useDevPanes(dev);
  return (
    <Box flexDirection="column" height={rows + head.length}>
      {head.map((line, index) => (
        <LineView key={index} line={fitLine(line, columns)} />
      ))}
      <DevPanes columns={columns} rows={rows} dev={dev} {...panes} />
    </Box>
  );
}
