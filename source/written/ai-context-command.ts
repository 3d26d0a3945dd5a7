import { documentCommand } from './document-command.ts';
import { aiContextDocument, loadAiContextText } from './load-ai-context-text.ts';

/** `capix ai-context`: what an AI assistant should know of the project, as JSON. */
export default documentCommand(aiContextDocument, loadAiContextText);
