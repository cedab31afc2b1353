plumb help doctor
