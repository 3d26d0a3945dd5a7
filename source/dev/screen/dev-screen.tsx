import { Box } from 'ink';
import { fitLine } from '../../kit/line.ts';
import { LineView } from '../../kit/line-view.tsx';
import { LoadingLine, ScreenFrame } from '../../screens/screen-frame.tsx';
import { DevPanes } from './dev-panes.tsx';
import { toDevStatus } from './dev-state.ts';
import { type OpenDev, useDev } from './use-dev.ts';
import { useDevPanes } from './use-dev-panes.ts';

/** `capix dev`: the server, how it stands, its routes, its requests, its log, its jobs. */
export default function DevScreen() {
  const dev = useDev();
  if (dev === undefined) {
    return (
      <ScreenFrame screen="dev">
        <LoadingLine />
      </ScreenFrame>
    );
  }
  const { state } = dev.store;
  return (
    <ScreenFrame
      screen="dev"
      about={{ name: dev.name, status: toDevStatus(state), failure: state.failure, trouble: state.watchTrouble }}
    >
      <DevBody dev={dev} />
    </ScreenFrame>
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
