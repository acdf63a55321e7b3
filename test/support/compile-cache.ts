import { enableCompileCache } from "node:module";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

// Threads of the tests find their sources compiled, as those of the product do.
enableCompileCache(join(tmpdir(), `dockside-compiled-${userInfo().uid}`));
