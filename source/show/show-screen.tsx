import { useBodySize } from '../kit/theme/use-ui.ts';
import { FilteredTreeView } from '../kit/tree/filtered-tree-view.tsx';
import { toListed } from '../manifest/operations/listed.ts';
import { Missing } from '../screens/missing.tsx';
import { LoadingLine } from '../screens/shell/loading-line.tsx';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { type ShownCapability, useShow } from './use-show.ts';

/** `capix show <capability>`: what it takes and gives, its route and why it is that route. */
export default function ShowScreen() {
  const { entry } = useScreen();
  const key = 'key' in entry.route ? entry.route.key : '';
  return (
    <ScreenFrame screen={['show', key]}>
      <ShowBody capabilityKey={key} />
    </ScreenFrame>
  );
}

function ShowBody({ capabilityKey }: { readonly capabilityKey: string }) {
  const { project } = useScreen();
  const { manifest } = project;
  if (manifest === undefined) return <LoadingLine />;
  if (toListed(manifest).every(({ key }) => key !== capabilityKey))
    return <Missing capabilityKey={capabilityKey} manifest={manifest} />;
  return <Capability capabilityKey={capabilityKey} manifest={manifest} />;
}

function Capability(shown: ShownCapability) {
  const size = useBodySize();
  const { tree, isMarked } = useShow(shown, size.columns);
  return <FilteredTreeView {...size} tree={tree} title="Show" isMarked={isMarked} />;
}
