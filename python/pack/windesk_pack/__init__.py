"""The default pack of windesk. `windesk.Pack.open()` finds it by itself; there is nothing to call here."""
