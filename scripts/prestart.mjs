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
      '\nBuilding the web app failed; see the output above. Hearth starts with the previous build, if there is one.\n',
    );
  });
}
