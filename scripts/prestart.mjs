// npm runs this before `npm start`. It builds the web app on the first start and after updates. It needs only Node 20
// and npm, like run.mjs.
import { buildWeb } from './buildWeb.mjs';
import { install, root } from './install.mjs';
import { runVite } from './runVite.mjs';

// A custom folder is expected to contain a built app.
if (!process.env.HEARTH_WEB_DIR) {
  const node = install();
  await buildWeb(root, runVite(node)).catch((error) => {
    console.error(error.message);
    console.error(
      '\nThe web app could not be built: see the message above. Hearth starts with the one built before, if there is one.\n',
    );
  });
}
