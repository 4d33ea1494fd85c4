// jQuery as the global that its plugins look for.
import jQuery from "jquery";

window.jQuery = window.$ = jQuery;
export default jQuery;
