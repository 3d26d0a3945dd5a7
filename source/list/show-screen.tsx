import { useCallback, useMemo } from 'react';
import { findServerAddress, type ServerAddress, toGuessedAddress } from '../files/dev-servers.ts';
import type { Row } from '../kit/row.ts';
import { RowsView } from '../kit/rows-view.tsx';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize, usePolled } from '../kit/use-ui.ts';
import { hasRoute, type Listed, type Manifest, toListed } from '../manifest/manifest.ts';
import { Missing } from '../screens/missing.tsx';
import { toSampleCurl } from '../screens/sample-curl.ts';
import { LoadingLine, ScreenFrame } from '../screens/screen-frame.tsx';
import { useMarkedRows } from '../screens/use-marks.ts';
import { type ActionRow, useRowActions } from '../screens/use-row-actions.ts';
import { useNavigation, useProject, useServices } from '../screens/use-screen.ts';
import type { Fact } from './capability-facts.ts';
import { toShowRows } from './show-rows.ts';

/** `capix show <capability>`: what it takes and gives, its route and why it is that route. */
export default function ShowScreen() {
  const { entry } = useNavigation();
  const key = 'key' in entry.route ? entry.route.key : '';
  return (
    <ScreenFrame screen={['show', key]}>
      <ShowBody capabilityKey={key} />
    </ScreenFrame>
  );
}

function ShowBody({ capabilityKey }: { readonly capabilityKey: string }) {
  const { manifest } = useProject().project;
  if (manifest === undefined) return <LoadingLine />;
  const capability = toListed(manifest).find(({ key }) => key === capabilityKey);
  if (capability === undefined)
    return <Missing capabilityKey={capabilityKey} manifest={manifest} />;
  return <Capability capability={capability} manifest={manifest} />;
}

/** Columns of a line that are not its text: the pointer, the sign of a fold, the scroll mark. */
const MARGIN = 6;

interface ShownCapability {
  readonly capability: Listed;
  readonly manifest: Manifest;
}

function Capability({ capability, manifest }: ShownCapability) {
  const { edit } = useServices();
  const { go } = useNavigation();
  const size = useBodySize();
  const address = useServerAddress(manifest.project.root);
  const width = size.columns - MARGIN;
  const rows = useMemo(
    () => toShowRows(capability, { manifest, server: toAddressFacts(capability, address), width }),
    [capability, manifest, address, width],
  );
  const list = useRows<ActionRow>(rows, 'show');
  const marked = useMarkedRows(rows, toFactText);
  const { go: toggle, call, copy, curl } = useRowActions(list);
  const toCall = (): void => go({ screen: 'call', key: capability.key });
  const isPart = list.selected?.children?.length || !hasRoute(capability);
  const actions = {
    call,
    go: {
      help: 'Open and close what is selected, or call the capability',
      run: isPart ? toggle.run : toCall,
    },
    copy,
    curl,
    edit: () => edit(capability.facts.source),
  };
  return <RowsView {...size} {...{ list, actions, marked }} />;
}

/** The text of a line however wide the window is; nothing of the source, whose lines move with every save. */
function toFactText({ id, copied = '' }: Row): string {
  return id.startsWith('Source') ? '' : copied;
}

/** The server of a capability, and the command that calls it there; none where only a queue runs it. */
export function toAddressFacts(capability: Listed, address: ServerAddress): readonly Fact[] {
  if (!hasRoute(capability)) return [];
  const { url, isRunning } = address;
  const server = isRunning ? `${url}, capix dev` : `not running; it would be at ${url}`;
  return [
    ...(isRunning === undefined ? [] : [{ label: 'Server', values: [server] }]),
    { label: 'curl', values: [toSampleCurl(capability, address)] },
  ];
}

/** The address at which calls reach the project. It follows the server. `root`: absolute path of the project. */
function useServerAddress(root: string): ServerAddress {
  const { terminal } = useServices();
  const look = useCallback(() => findServerAddress(root, terminal), [root, terminal]);
  return usePolled<ServerAddress>(look, toGuessedAddress(terminal));
}
